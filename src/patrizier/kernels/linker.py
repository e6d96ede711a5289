"""Kernels in two forms: whole, to be called from Python, and as a part of other kernels.

Numba compiles every function to machine code of its own, even those that only other compiled
functions call, and optimises the code of an inlined function again in each of its callers. Here, a
part is only lowered to LLVM IR; it is optimised once, within the kernel that Python calls. Nor is a
part lowered again for every integer width or constant argument: LLVM sees both when it inlines. All
this takes half of the time for all kernels, and the code is as fast.
"""

from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.core.types.misc import unliteral


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function; other compiled functions get it as a `_Part`."""

    def __init__(
        self,
        py_func: Any,
        locals: dict[str, Any] | None = None,  # noqa: A002 (Numba passes it)
        targetoptions: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class=_WholeCompiler)
        self._part = _Part(py_func, locals, targetoptions, pipeline_class=_PartCompiler)

    # Numba's interface of a function that compiled code calls:

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for these types, with integers widened; return the signature."""
        wide = {name: _widened(type_) for name, type_ in kws.items()}
        return self._part.get_call_template(tuple(map(_widened, args)), wide)

    def get_overload(self, sig: Any) -> Any:
        """Return the key under which a signature can be called."""
        return self._part.get_overload(sig)

    @property
    def nopython_signatures(self) -> Any:
        """The signatures that can be called."""
        return self._part.nopython_signatures


def _widened(given: Any) -> Any:
    """Return the type that a part gets: signed integers are widened to 64 bits."""
    plain = unliteral(given)
    return types.int64 if plain in types.signed_domain else plain


class _Part(CPUDispatcher):  # type: ignore[misc]
    """The form for other compiled functions: Python cannot call it."""

    def add_overload(self, cres: Any) -> None:
        """Store a compiled signature, without an entry in Python's dispatch table."""
        self.overloads[tuple(cres.signature.args)] = cres


class _WholeCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, without the entry point for C."""

    def define_pipelines(self) -> list[PassManager]:
        """Return Numba's passes with another last one."""
        self.state.flags.no_cfunc_wrapper = True
        (usual,) = super().define_pipelines()
        return [_with_lowering(usual, _WholeLowering)]


class _PartCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler up to LLVM IR, without entry points."""

    def define_pipelines(self) -> list[PassManager]:
        """Return Numba's passes with another last one."""
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        return [_with_lowering(usual, _PartLowering)]


def _with_lowering(usual: PassManager, lowering: type[NativeLowering]) -> PassManager:
    """Return passes with this one in place of Numba's lowering to LLVM IR."""
    passes = PassManager(usual.pipeline_name)
    for each, about in usual.passes:
        passes.add_pass(lowering if each is NativeLowering else each, about)
    passes.finalize()
    return passes


@register_pass(mutates_CFG=True, analysis_only=False)
class _WholeLowering(NativeLowering):  # type: ignore[misc]
    """Lowers to LLVM IR, to be optimised once."""

    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a function into a library of its own kind."""
        state.library = _WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)  # type: ignore[no-any-return]


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    """Lowers to LLVM IR, and registers it for callers."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a function into a library that is only linked."""
        context = state.targetctx
        state.library = _PartLibrary(context.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered, key = state["cr"], object()
        context.insert_user_function(key, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=key)
        return True


class _WholeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is optimised in one go.

    Numba does it twice, first only to count fewer references: kernels have next to none.
    """

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code to link into that of callers, which optimise it and compile it to machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True
