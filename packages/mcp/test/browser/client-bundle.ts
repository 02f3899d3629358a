import { fileURLToPath } from 'node:url'

import { bundleForPage } from '../../../../test-support/page-bundle.ts'

/** The client as a bundler makes it for a web page; `client.js` is its entry. */
export function bundleClient() {
  return bundleForPage(fileURLToPath(new URL('../../src/entry/client.ts', import.meta.url)))
}
