import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The resources of all servers, or one for the next turn. */
export function resources([server, uri]: readonly string[], context: CommandContext): void {
  const { host } = context.chat
  if (server === undefined || uri === undefined) {
    const all = [
      ...host.resources.map((resource) => ({
        whose: resource.server,
        where: resource.uri,
        name: resource.name,
      })),
      ...host.templates.map((template) => ({
        whose: template.server,
        where: template.uriTemplate,
        name: template.name,
      })),
    ]
    if (all.length === 0) return context.print([line('no server has resources', 'dim')])
    const most = 100
    context.print([
      ...all.slice(0, most).map(({ whose, where, name }): Line => [
        { text: flat(whose, 60), look: 'bold' },
        { text: ` ${flat(where, 300)}`, look: 'accent' },
        { text: `  ${flat(name, 100)}`, look: 'dim' },
      ]),
      ...(all.length > most ? [line(`… and ${all.length - most} more`, 'dim')] : []),
    ])
    return
  }
  host.connection(server) // says so if there is none
  context.attach({ attachment: { server, uri } })
  context.print([line(`${flat(uri)} goes with your next message`, 'dim')])
}
