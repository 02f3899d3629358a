// Runs before the first paint, as a file of its own: the content policy allows no inline script.
;(() => {
  let stored = null
  try {
    stored = localStorage.getItem('parley-colour-scheme')
  } catch {
    // Storage may be switched off; then the system decides.
  }
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
