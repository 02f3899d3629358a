import { addressWarnings } from '@parley/foundation/address'
import { safeText } from '@parley/foundation/terminal'

import type { Io } from '../io.ts'

/**
 * Shows the page of a sign-in to the person. A server chose the address: one that may imitate another is not opened
 * unasked, but printed with what is odd about it.
 */
export async function showSignInPage(
  page: URL,
  { stderr }: Pick<Io, 'stderr'>,
  mayOpen: boolean,
): Promise<void> {
  const warnings = addressWarnings(page.href)
  for (const warning of warnings) {
    stderr.write(`warning: ${safeText(warning, { multiline: false })}\n`)
  }
  if (mayOpen && warnings.length === 0) {
    const { showUrl } = await import('@parley/auth/node')
    return showUrl(page)
  }
  const condition = warnings.length === 0 ? '' : ', if you trust it,'
  stderr.write(`To sign in, open this address${condition} in a browser:\n\n  ${page.href}\n\n`)
}
