import type { AttachedResource } from '@parley/host'

import { textDifferenceLines } from '../differences.ts'
import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The resources that were attached to this conversation; what changed in one; attaches it again, or forgets it. */
export function attached(words: readonly string[], context: CommandContext): void {
  const { chat, conversation, print } = context
  const all = conversation === undefined ? [] : chat.host.attached(conversation)
  const [first, second] = words
  if (first === undefined) {
    if (all.length === 0) return print([line('nothing was attached since the chat began', 'dim')])
    return print([
      ...all.map((item, at) => resourceLine(item, at + 1)),
      line('/attached NUMBER shows a change, /attached again NUMBER attaches it again', 'dim'),
    ])
  }
  const entry = all[Number(second ?? first) - 1]
  if (entry === undefined || conversation === undefined) {
    throw new Error('write a number of the list that /attached shows')
  }
  const { server, uri } = entry
  if (second === undefined) return print(changeLines(entry))
  if (first === 'again') {
    context.attach({ attachment: { server, uri } })
    return print([line(`${flat(uri)} goes with your next message`, 'dim')])
  }
  if (first !== 'forget') throw new Error(`${first} is unknown: use again or forget`)
  chat.host.detach(conversation, { server, uri })
  print([line(`${flat(uri)} is no longer tracked; the model has read it`, 'dim')])
}

/** One line of the list. */
export function resourceLine(resource: AttachedResource, number: number): Line {
  const { server, uri, change, isFollowed } = resource
  const state =
    change !== undefined
      ? change.problem === undefined
        ? 'changed since you attached it'
        : 'can no longer be read'
      : isFollowed
        ? 'the same as when you attached it'
        : 'not followed: its server does not tell of changes'
  return [
    { text: `${number} `, look: 'accent' },
    { text: flat(uri, 300), look: 'bold' },
    { text: ` of ${flat(server, 60)}`, look: 'dim' },
    { text: `  ${state}`, look: change === undefined ? 'dim' : 'warning' },
  ]
}

function changeLines({ uri, change }: AttachedResource): readonly Line[] {
  if (change === undefined) return [line(`${flat(uri)} has not changed`, 'dim')]
  if (change.problem !== undefined) return [line(flat(change.problem), 'warning')]
  return textDifferenceLines(change.before, change.after)
}
