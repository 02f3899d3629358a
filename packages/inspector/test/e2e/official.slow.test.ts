import { describePanels, type Case } from './describe-panels.ts'
import { serveOfficial } from './served.ts'

const cases = (['stdio', 'http', 'sse'] as const).map((route): Case => {
  return { name: `official-${route}`, hasTasks: true, serve: () => serveOfficial(route) }
})

describePanels('every panel with the official everything server', cases)
