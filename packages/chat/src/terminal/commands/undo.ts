import { line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** Goes on from before the last message, in a copy: the conversation stays as it is. */
export async function undo(_: readonly string[], context: CommandContext): Promise<void> {
  const { chat, conversation, print } = context
  const loaded =
    conversation === undefined ? undefined : await chat.conversations.load(conversation)
  if (loaded === undefined || loaded.turns === 0) throw new Error('nothing was said yet')
  const copy = await chat.conversations.fork(loaded.id, loaded.turns - 1)
  await context.open(copy.id)
  print([line('You are before your last message. What it did to servers stays done.', 'dim')])
}
