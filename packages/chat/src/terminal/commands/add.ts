import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** Lists servers of other applications, adds some of them by name, or one by its address. */
export async function add(words: readonly string[], context: CommandContext): Promise<void> {
  const { setup, print } = context
  if (setup === undefined) throw new Error('servers cannot be added here')
  const [first, second] = words
  if (first !== undefined && /^https?:\/\//i.test(second ?? '')) {
    await setup.addCustom(first, { url: second ?? '' })
    return print([line(`${flat(first, 100)} was added to your configuration`, 'dim')])
  }
  const files = await setup.findServers()
  if (first === undefined) return print(listed(files))
  for (const name of words) {
    const file = files.find(({ servers }) => servers.some((candidate) => candidate.name === name))
    const server = file?.servers.find((candidate) => candidate.name === name)
    if (file === undefined || server === undefined) {
      throw new Error(`no file has a server ${name}: /add lists them`)
    }
    if (server.why !== undefined) throw new Error(`${name}: ${server.why}`)
    await setup.addServers(file.file, [{ name, shown: server.shown }])
    print([line(`${flat(name, 100)} was added: ${flat(server.shown, 500)}`, 'dim')])
  }
}

type Files = Awaited<ReturnType<NonNullable<CommandContext['setup']>['findServers']>>

function listed(files: Files): readonly Line[] {
  const hint = line('/add NAME starts and uses one; /add NAME https://… adds an address', 'dim')
  if (files.length === 0) return [line('no application with servers was found', 'dim'), hint]
  return [
    ...files.flatMap(({ file, format, servers }) => [
      line(`${flat(file, 300)} (${flat(format, 60)})`, 'dim'),
      ...servers.map(({ name, shown, why }): Line => [
        { text: `  ${flat(name, 60)}`, look: why === undefined ? 'accent' : 'dim' },
        { text: `  ${flat(why ?? shown, 500)}`, look: 'plain' },
      ]),
    ]),
    hint,
  ]
}
