/** The address of a page. */
export interface PageLocation {
  /** As the browser shows it. */
  readonly href: string
  /** Shows another address, without loading it and without an entry in the history. */
  replace(href: string): void
}

/** The page that this runs in. */
export function pageHere(): PageLocation {
  const { location, history } = globalThis as {
    location?: { readonly href: string }
    history?: { replaceState(state: unknown, unused: string, url: string): void; state: unknown }
  } // may be missing: not only browsers run this
  if (location === undefined || history === undefined) {
    throw new TypeError('pageSignIn() needs a browser: use begin() and complete() elsewhere')
  }
  return {
    get href() {
      return location.href
    },
    replace: (href) => history.replaceState(history.state, '', href),
  }
}
