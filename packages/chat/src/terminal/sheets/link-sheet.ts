import type { ServerQuestion } from '@parley/host'

import { flat, line, paragraph } from '../line.ts'
import { keyLine, wordOf, type Sheet } from './sheet.ts'

/** A link that a server wants opened. The whole host stands on its own line; nothing is opened by the terminal. */
export function linkSheet(question: Extract<ServerQuestion, { mode: 'url' }>): Sheet {
  const { server, message, url, host, warnings } = question
  const answer = (action: 'accept' | 'decline' | 'cancel') =>
    ({ kind: 'answer', answer: { kind: 'elicitation', answer: { action } } }) as const
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
      ['Esc', 'close'],
    ]),
    press(key) {
      switch (wordOf(key)) {
        case 'y':
          return answer('accept')
        case 'n':
          return answer('decline')
        case 'escape':
          return answer('cancel')
        default:
          return undefined
      }
    },
  }
}
