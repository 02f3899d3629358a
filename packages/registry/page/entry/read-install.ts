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
  /** As it goes into the product's file. */
  readonly file: string
  readonly questions: readonly InstallQuestion[]
  readonly notes: readonly string[]
}

/** From the answer of `x/config`. */
export function readInstall(value: unknown): readonly InstallOption[] {
  return listOf(recordOf(value)['options']).map((option) => {
    const { title, file, questions, notes } = recordOf(option)
    return {
      title: textOf(title) ?? '',
      file: textOf(file) ?? '',
      questions: listOf(questions).map(readQuestion),
      notes: listOf(notes).flatMap((note) => textOf(note) ?? []),
    }
  })
}

function readQuestion(value: unknown): InstallQuestion {
  const one = recordOf(value)
  return {
    id: textOf(one['id']) ?? '',
    description: textOf(one['description']),
    isRequired: one['isRequired'] === true,
    isSecret: one['isSecret'] === true,
    preset: textOf(one['default']),
    choices: listOf(one['choices']).flatMap((choice) => textOf(choice) ?? []),
  }
}
