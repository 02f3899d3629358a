import { listOf, recordOf, textOf } from '@parley/page/json'

/** Something to answer before a server can be started. */
export interface InstallQuestion {
  readonly id: string
  readonly description: string | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly preset: string | undefined
  readonly choices: readonly string[]
}

/** One way to run or reach a server from a product. */
export interface InstallOption {
  /** Such as `npm @scope/server@1.0.0`. */
  readonly title: string
  /** Where the server comes from. */
  readonly origin: string
  /** As it goes into the product's file. */
  readonly file: string
  readonly questions: readonly InstallQuestion[]
  readonly notes: readonly string[]
  /** One click or one command, by product. */
  readonly links: readonly InstallLink[]
}

/** A link to open or a command to run. */
export interface InstallLink {
  readonly client: string
  readonly kind: 'link' | 'command'
  readonly text: string
}

/** What clients refuse to use, and why. */
export interface InstallRejected {
  readonly title: string
  readonly reasons: readonly string[]
}

/** From the answer of `x/config`. */
export function readInstall(value: unknown): {
  readonly options: readonly InstallOption[]
  readonly refused: readonly InstallRejected[]
} {
  const { options, refused } = recordOf(value)
  return { options: listOf(options).map(readOption), refused: listOf(refused).map(readRejected) }
}

function readRejected(value: unknown): InstallRejected {
  const { title, reasons } = recordOf(value)
  return { title: textOf(title) ?? '', reasons: textsOf(reasons) }
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((text) => textOf(text) ?? [])
}

function readOption(option: unknown): InstallOption {
  const { title, origin, file, questions, notes, links } = recordOf(option)
  return {
    title: textOf(title) ?? '',
    origin: textOf(origin) ?? '',
    file: textOf(file) ?? '',
    questions: listOf(questions).map(readQuestion),
    notes: textsOf(notes),
    links: listOf(links).map(readLink),
  }
}

function readQuestion(value: unknown): InstallQuestion {
  const record = recordOf(value)
  return {
    id: textOf(record['id']) ?? '',
    description: textOf(record['description']),
    isRequired: record['isRequired'] === true,
    isSecret: record['isSecret'] === true,
    preset: textOf(record['default']),
    choices: textsOf(record['choices']),
  }
}

/** Only the two schemes of products that the registry writes links for are links. */
function readLink(value: unknown): InstallLink {
  const { client, kind, text } = recordOf(value)
  const words = textOf(text) ?? ''
  const isLink = kind === 'link' && /^(vscode:mcp\/install\?|cursor:\/\/anysphere)/.test(words)
  return { client: textOf(client) ?? '', kind: isLink ? 'link' : 'command', text: words }
}
