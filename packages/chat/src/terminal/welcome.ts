import type { Chat } from '../chat.ts'
import type { ChatSetup } from '../core/setup.ts'
import { line, type Line } from './line.ts'

/** What somebody can do who is here for the first time; nothing for the others. */
export async function welcomeLines(
  chat: Pick<Chat, 'models'>,
  setup: Pick<ChatSetup, 'isFirstRun' | 'finish'>,
): Promise<readonly Line[]> {
  const isFirst = await setup.isFirstRun().catch(() => false)
  if (!isFirst) return []
  await setup.finish().catch(() => undefined) // then it comes again
  const isScripted = chat.models[0] === 'scripted'
  const steps = [
    ['/add', 'servers of other applications on this machine, or an address of your own'],
    ['/folders PATH', 'a folder that servers are told to work in'],
    [
      '/model NAME',
      isScripted
        ? 'a language model; until then a script answers, which only understands: call TOOL {arguments}'
        : 'another model',
    ],
  ]
  return [
    line('You are here for the first time. Set it up with these, in any order:', 'bold'),
    ...steps.map(([command = '', about = '']): Line => [
      { text: `  ${command.padEnd(15)}`, look: 'accent' },
      { text: about, look: 'plain' },
    ]),
    line('Then ask something, such as: What can you do with the tools you have?', 'dim'),
    line(''),
  ]
}
