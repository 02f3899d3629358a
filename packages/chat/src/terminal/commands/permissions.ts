import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** What was answered for longer than one call, or forgets one of them. */
export async function permissions(
  words: readonly string[],
  { chat, print }: CommandContext,
): Promise<void> {
  const answers = await chat.permissions.answers()
  const [what, number] = words
  if (what === undefined) {
    if (answers.length === 0) return print([line('every call is asked about', 'dim')])
    return print([
      ...answers.map(({ decision, server, tool, duration }, at): Line => [
        { text: `${at + 1} `, look: 'accent' },
        { text: decision === 'allow' ? 'allowed ' : 'refused ', look: 'plain' },
        { text: `${flat(server, 60)} · ${flat(tool?.name ?? 'all tools', 100)}`, look: 'bold' },
        { text: duration === 'always' ? '  always' : '  this session', look: 'dim' },
      ]),
      line('/permissions forget NUMBER asks again', 'dim'),
    ])
  }
  const answer = answers[Number(number) - 1]
  if (what !== 'forget' || answer === undefined) {
    throw new Error('write /permissions forget NUMBER, with a number of the list')
  }
  await chat.permissions.revoke(answer.id)
  const { server, tool } = answer
  const about = `${flat(server, 60)} · ${flat(tool?.name ?? 'all tools', 100)}`
  print([line(`${about} is asked about again`, 'dim')])
}
