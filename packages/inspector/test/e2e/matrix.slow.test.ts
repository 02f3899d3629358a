import { isThorough } from '../../../../test-support/thorough.ts'
import { describePanels, type Case } from './describe-panels.ts'
import { serveOurs, type Route } from './served.ts'

const routes: readonly Route[] = ['stdio', 'http', 'sse', 'websocket']
const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']

const everyPair = routes.flatMap((route) =>
  revisions
    // The old way over HTTP ended with the revisions that had a handshake.
    .filter((revision) => route !== 'sse' || revision < '2026-07-28')
    .map((revision) => [route, revision] as const),
)

/**
 * The panels know neither the route nor the codec: by day one walk with all there is, beside that of `official.slow.test.ts`,
 * whose server begins with a handshake. The service below them is tried over each route in each revision by
 * `service/everywhere.test.ts`.
 */
const newest: typeof everyPair = [['http', '2026-07-28']]

const cases = (isThorough ? everyPair : newest).map(([route, revision]): Case => {
  const hasTasks = revision > '2025-06-18'
  return { name: `${route}-${revision}`, revision, hasTasks, serve: () => serveOurs(route) }
})

describePanels('every panel with our everything server', cases)
