"""`numba.cuda`, also where its release and NumPy's do not fit together."""

import numpy as np

if not hasattr(np, "row_stack"):  # older releases of numba-cuda use it; newer ones of NumPy lack it
    np.row_stack = np.vstack

from numba import cuda as cuda
