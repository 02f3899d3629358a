import { isThorough } from '../../../../test-support/thorough.ts'
import { describePanels, type Case } from './describe-panels.ts'
import { serveOfficial } from './served.ts'

/** Our own server is walked through over every route; the panels know none of them. */
const routes = isThorough ? (['stdio', 'http', 'sse'] as const) : (['http'] as const)

const cases = routes.map((route): Case => {
  return { name: `official-${route}`, hasTasks: true, serve: () => serveOfficial(route) }
})

describePanels('every panel with the official everything server', cases)
