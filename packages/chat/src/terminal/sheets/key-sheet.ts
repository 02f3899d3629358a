import type { KeyRequest } from '../../chat.ts'
import { composerLines } from '../composer-lines.ts'
import { composerWith, editText, wholeText, type Composer } from '../composer.ts'
import { flat, line, paragraph } from '../line.ts'
import { keyLine, wordOf, type Sheet } from './sheet.ts'

/** A key that a model needs. What is written does not show. */
export function keySheet(request: KeyRequest, composer: Composer = composerWith('')): Sheet {
  const { model, host, variable, isRejected, isStored } = request
  const answer = (key?: string) =>
    ({ kind: 'answer', answer: { kind: 'key', ...(key && { key }) } }) as const
  const storageNote = isStored
    ? 'It is kept in your secret store.'
    : `It is kept until you leave: set ${variable} to have it at every start.`
  return {
    lines: (width) => [
      line(`${flat(model, 80)} needs an API key`, 'bold'),
      ...(isRejected ? paragraph(`! ${host} refused the last key.`, width, 'warning', '  ') : []),
      ...paragraph(`It is sent to ${host} and nowhere else. ${storageNote}`, width, 'dim', '  '),
    ],
    editor: {
      lines: (width) =>
        composerLines({ ...composer, text: '•'.repeat(composer.text.length) }, width, '  > '),
    },
    keys: keyLine([
      ['Enter', 'use it'],
      ['Esc', 'go on without a key'],
    ]),
    press(key) {
      const word = wordOf(key)
      if (word === 'escape') return answer()
      if (word === 'enter') {
        const text = wholeText(composer).trim()
        return text === '' ? undefined : answer(text)
      }
      const next = editText(composer, key)
      return next === undefined ? undefined : { kind: 'sheet', sheet: keySheet(request, next) }
    },
  }
}
