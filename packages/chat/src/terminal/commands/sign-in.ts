import { beginSignIn } from '../../core/begin-sign-in.ts'
import { flat, line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** Signs in to a server: shows the page to open, and says how it ended. */
export async function signIn([name]: readonly string[], context: CommandContext): Promise<void> {
  const { chat, print, signal } = context
  const waiting = chat.host.servers.filter(({ status }) => status.state === 'sign-in')
  const server = name ?? (waiting.length === 1 ? waiting[0]?.name : undefined)
  if (server === undefined) {
    const names = waiting.map((item) => item.name).join(', ')
    throw new Error(`name a server${names === '' ? ': none wants a sign-in' : `: ${names}`}`)
  }
  const { url, ended } = await beginSignIn(chat.host, server, signal)
  print([
    line(`To sign in to ${flat(server, 60)}, open this address at ${flat(url.host)}:`, 'bold'),
    line(flat(url.href, 4_000), 'accent'),
  ])
  const error = await ended
  if (error !== undefined) throw new Error(error)
  print([line(`signed in to ${flat(server, 60)}`, 'good')])
}
