import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The servers that somebody is signed in to; signs out of one. */
export async function accounts(words: readonly string[], context: CommandContext): Promise<void> {
  const { chat, print } = context
  const [what, ...rest] = words
  if (what === undefined) {
    const all = await chat.host.accounts()
    if (all.length === 0) return print([line('you are not signed in to any server', 'dim')])
    return print([
      ...all.flatMap(({ server, grants }) =>
        grants.map(({ issuer, scopes, expiresAt }): Line => {
          const until =
            expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`
          return [
            { text: flat(server, 60), look: 'bold' },
            { text: `  by ${flat(issuer, 200)}: `, look: 'dim' },
            { text: flat(scopes.join(' '), 500) || 'no scopes', look: 'plain' },
            { text: until, look: 'dim' },
          ]
        }),
      ),
      line('/accounts out SERVER signs out', 'dim'),
    ])
  }
  const server = rest.join(' ')
  if (what !== 'out' || server === '') throw new Error('write /accounts, or /accounts out SERVER')
  const remarks = await chat.host.signOut(server)
  print([
    line(`signed out of ${flat(server, 60)}`, 'good'),
    ...remarks.map((remark) => line(flat(remark), 'warning')),
  ])
}
