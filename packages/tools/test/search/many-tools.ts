import type { Tool } from '@parley/mcp'

const things = [
  'issue',
  'pull request',
  'branch',
  'calendar event',
  'invoice',
  'customer',
  'file',
  'folder',
  'message',
  'channel',
  'database row',
  'deployment',
  'certificate',
  'contact',
  'ticket',
  'release',
  'webhook',
  'secret',
  'workflow',
  'comment',
] as const
const actions = [
  'create',
  'delete',
  'get',
  'list',
  'search',
  'update',
  'archive',
  'share',
  'export',
  'restore',
] as const

/** Tools as servers have them: actions on things, of many servers. */
export function manyTools(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, at) => {
    const action = actions[at % actions.length] ?? ''
    const thing = things[Math.floor(at / actions.length) % things.length] ?? ''
    const server = `server${Math.floor(at / (actions.length * things.length))}`
    return {
      name: `${server}__${action}_${thing.replaceAll(' ', '_')}`,
      description: `${action} a ${thing} of ${server}. It needs the right to do so, and answers with what was done.`,
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: `Which ${thing}` },
          dryRun: { type: 'boolean', description: 'Only say what would be done' },
          fields: { type: 'array', items: { type: 'string' }, description: 'Parts to answer with' },
        },
        required: ['id'],
      },
    }
  })
}
