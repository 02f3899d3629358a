/** What the operator of this registry allows the page. */

import { recordOf } from '@parley/page/json'
import { create } from 'zustand'

/** Nothing is allowed until the registry has said so. */
export const useSettings = create<{ readonly icons: boolean }>(() => ({ icons: false }))

/** Asks once, at the page's start. A registry that does not answer allows nothing. */
export async function loadSettings(): Promise<void> {
  try {
    const response = await fetch(new URL('settings.json', document.baseURI))
    const { icons } = recordOf(response.ok ? await response.json() : undefined)
    useSettings.setState({ icons: icons === true })
  } catch {
    // The search says that the registry does not answer.
  }
}
