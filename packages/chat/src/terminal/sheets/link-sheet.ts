import type { QuestionAnswer, ServerQuestion } from '@parley/host'

import { flat, line, paragraph } from '../line.ts'
import { keyLine, wordOf, type Sheet, type SheetStep } from './sheet.ts'

/** A link that a server wants opened. The whole host stands on its own line; nothing is opened by the terminal. */
export function linkSheet(question: Extract<ServerQuestion, { mode: 'url' }>): Sheet {
  const { server, message, url, host, warnings } = question
  const say = (answer: QuestionAnswer): SheetStep => ({
    kind: 'answer',
    answer: { kind: 'elicitation', answer },
  })
  return {
    lines: (width) => [
      line(`${flat(server, 80)} asks you to open a page`, 'bold'),
      ...paragraph(message, width, 'plain', '  │ '),
      line('At this host', 'dim'),
      ...paragraph(host, width, 'accent', '  '),
      line('The whole address, to copy into a browser', 'dim'),
      ...paragraph(url, width, 'plain', '  '),
      ...warnings.flatMap((warning) => paragraph(`! ${warning}`, width, 'warning', '  ')),
    ],
    keys: keyLine([
      ['y', 'I agree, and open it myself'],
      ['n', 'no'],
      ['N', 'no more questions of this server'],
      ['Esc', 'close'],
    ]),
    press(key) {
      switch (wordOf(key)) {
        case 'y':
          return say({ action: 'accept' })
        case 'n':
          return say({ action: 'decline' })
        case 'N':
          return say({ action: 'decline', remember: 'session' })
        case 'escape':
          return say({ action: 'cancel' })
        default:
          return undefined
      }
    },
  }
}
