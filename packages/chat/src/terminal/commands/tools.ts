import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The tools of all servers or of one; `on` and `off` say whether the model knows one. */
export function tools(words: readonly string[], { chat, print }: CommandContext): void {
  const { tools: registry } = chat.host
  const [first, second] = words
  const all = registry.all()
  if ((first === 'on' || first === 'off') && second !== undefined) {
    const found = all.find(({ name }) => name === second)
    if (found === undefined) throw new Error(`there is no tool ${second}: /tools lists them`)
    registry.setEnabled(found.connection.server.name, found.tool.name, first === 'on')
    const knows = first === 'on' ? 'knows' : 'does not know'
    return print([line(`the model ${knows} ${flat(second, 100)} from now on`, 'dim')])
  }
  const wanted = all.filter(
    ({ connection }) => first === undefined || connection.server.name === first,
  )
  if (wanted.length === 0) {
    return print([
      line(first === undefined ? 'there are no tools' : `${flat(first, 60)} has no tools`, 'dim'),
    ])
  }
  print([
    ...wanted.map(({ name, tool, connection }): Line => {
      const isOn = registry.isEnabled(connection.server.name, tool.name)
      return [
        { text: flat(name, 100), look: isOn ? 'bold' : 'dim' },
        { text: isOn ? '' : ' (off)', look: 'dim' },
        { text: `  ${flat(tool.title ?? tool.description ?? '', 200)}`, look: 'dim' },
      ]
    }),
    line('/tools off NAME hides one from the model, /tools on NAME shows it again', 'dim'),
  ])
}
