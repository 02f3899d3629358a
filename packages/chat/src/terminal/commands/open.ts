import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

const maxListed = 9

/** Lists conversations, or opens one by its number or by words that only it has. */
export async function open(words: readonly string[], context: CommandContext): Promise<void> {
  const { chat, listed } = context
  const [first] = words
  const chosen =
    words.length === 1 && /^\d+$/.test(first ?? '') ? listed[Number(first) - 1] : undefined
  if (chosen !== undefined) return context.open(chosen.id)
  const search = words.join(' ')
  const found = await chat.conversations.list({ search, limit: maxListed })
  const [only] = found
  if (search !== '' && found.length === 1 && only !== undefined) return context.open(only.id)
  if (found.length === 0) {
    return context.print([
      line(
        search === ''
          ? 'there are no conversations yet'
          : `no conversation has ${flat(search, 100)}`,
        'dim',
      ),
    ])
  }
  context.setListed(found)
  context.print([
    ...found.map(({ title, changedAt, turns }, at): Line => [
      { text: `${at + 1} `, look: 'accent' },
      { text: flat(title === '' ? 'untitled' : title, 100), look: 'plain' },
      {
        text: `  ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${new Date(changedAt).toISOString().slice(0, 16).replace('T', ' ')}`,
        look: 'dim',
      },
    ]),
    line('/open NUMBER opens one', 'dim'),
  ])
}
