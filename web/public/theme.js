// Light or dark as it was chosen, before anything is drawn.
try {
  const { theme } = JSON.parse(localStorage.getItem('patrizier.settings') ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing.
}
