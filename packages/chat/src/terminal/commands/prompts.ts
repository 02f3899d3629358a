import type { ModelMessage } from '@parley/host/models'

import { flat, line, paragraph, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The prompts of all servers, or the messages of one for the next turn. */
export async function prompts(words: readonly string[], context: CommandContext): Promise<void> {
  const { host } = context.chat
  const [which, ...pairs] = words
  if (which === undefined) {
    if (host.prompts.length === 0) return context.print([line('no server has prompts', 'dim')])
    context.print(
      host.prompts.map(({ server, name, description = '', arguments: args = [] }): Line => [
        { text: `${flat(server, 60)}/${flat(name, 80)}`, look: 'bold' },
        {
          text: args
            .map(
              (argument) => ` ${flat(argument.name, 40)}=…${argument.required === true ? '' : '?'}`,
            )
            .join(''),
          look: 'accent',
        },
        { text: `  ${flat(description, 200)}`, look: 'dim' },
      ]),
    )
    return
  }
  const slash = which.indexOf('/')
  const prompt = host.prompts.find(({ server, name }) => `${server}/${name}` === which)
  if (slash === -1 || prompt === undefined)
    throw new Error(`there is no prompt ${which}: /prompts lists them`)
  const values = Object.fromEntries(joinPairs(pairs))
  const missing = (prompt.arguments ?? []).filter(
    (argument) => argument.required === true && !Object.hasOwn(values, argument.name),
  )
  if (missing.length > 0)
    throw new Error(`it needs ${missing.map((item) => `${item.name}=…`).join(' ')}`)
  const { messages } = await host.prompt(prompt.server, prompt.name, values)
  context.attach({ messages })
  context.print([
    line('This goes before your next message:', 'dim'),
    ...messages.flatMap((message) => paragraph(textOf(message), 100, 'plain', '  │ ')),
  ])
}

/** `key=some words` takes all words up to the next pair. */
function joinPairs(words: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = []
  for (const word of words) {
    const [, key, value = ''] = /^([\w-]+)=(.*)$/s.exec(word) ?? []
    const last = pairs.at(-1)
    if (key !== undefined) pairs.push([key, value])
    else if (last === undefined) throw new Error(`${word} is not an argument: write key=value`)
    else last[1] += ` ${word}`
  }
  return pairs
}

function textOf(message: ModelMessage): string {
  if (message.role === 'system' || message.role === 'assistant') return message.text
  return message.content
    .map((part) => (part.type === 'text' ? part.text : `(${part.type})`))
    .join('\n')
}
