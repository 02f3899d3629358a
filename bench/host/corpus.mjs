// Many servers with tools as large as those of the reference servers, in this process.
import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'

const things = ['issue', 'pull request', 'calendar event', 'invoice', 'customer', 'file', 'message']
const actions = ['create', 'delete', 'get', 'list', 'search', 'update', 'archive', 'share']

/** Servers for a host; each is connected when it is needed. */
export function corpus(servers, toolsEach) {
  return Array.from({ length: servers }, (_, at) => {
    const name = `server${at + 1}`
    const server = createServer({ name, version: '1.0.0' })
    for (let index = 0; index < toolsEach; index += 1) {
      const { name: tool, ...definition } = toolOf(at, index)
      server.tool(tool, definition, (given) => `done: ${JSON.stringify(given)}`)
    }
    return { name, target: { open: (options) => connect(server, options), hash: name } }
  })
}

/** About 576 bytes, as the tools of the reference servers take on average. */
function toolOf(at, index) {
  const action = actions[index % actions.length]
  const thing = things[(at + Math.floor(index / actions.length)) % things.length]
  const text = (description) => ({ type: 'string', description })
  return {
    name: `${action}_${thing.replaceAll(' ', '_')}_${index}`,
    description: `${action} a ${thing} of server ${at + 1}. It needs the right to do so, answers with what was done, and says which fields were changed.`,
    inputSchema: {
      type: 'object',
      properties: {
        text: text(`What the ${thing} is about, in a sentence or two`),
        id: text(`Which ${thing} is meant, as the list gives it`),
        fields: { type: 'array', items: { type: 'string' }, description: 'Parts to answer with' },
        dryRun: { type: 'boolean', description: 'Only say what would be done' },
      },
    },
  }
}
