import { exportConversation } from '../../store/export-conversation.ts'
import { flat, line } from '../line.ts'
import type { CommandContext } from './command.ts'
import { writeNewFile } from './new-file.ts'

/** Writes the conversation to a file that is not there yet. */
export async function exportTo(
  words: readonly string[],
  { chat, conversation, cwd, print }: CommandContext,
): Promise<void> {
  const loaded =
    conversation === undefined ? undefined : await chat.conversations.load(conversation)
  if (loaded === undefined) throw new Error('nothing was said yet')
  const name = words.join(' ') || `${fileName(loaded.title)}.md`
  const [, ending = ''] = /\.(\w+)$/.exec(name) ?? []
  if (ending !== 'md' && ending !== 'json') {
    throw new Error(`${name} has to end with .md or .json, which says the form`)
  }
  const text = exportConversation(loaded, ending === 'json' ? 'json' : 'markdown')
  const path = await writeNewFile(cwd, name, text)
  print([line(`written to ${flat(path)}`, 'dim')])
}

function fileName(title: string): string {
  const plain = title.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
  return plain.slice(0, 60).replaceAll(/^-+|-+$/g, '') || 'conversation'
}
