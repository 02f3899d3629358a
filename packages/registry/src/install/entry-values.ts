import type { CatalogueQuestion } from '@parley/foundation/catalogue'

import type {
  NamedInput,
  ServerArgument,
  ServerInput,
  ServerPackage,
} from '../document/server-document.ts'
import { answered } from './runners.ts'

/** Something the user has to say before a server can be started. */
export type InstallQuestion = CatalogueQuestion

/** Gives the answer to a question; undefined leaves it out. */
export type Answer = (question: InstallQuestion) => string | undefined

/** The stranger's own text where there is one, else a mark that the user answers here. */
export const asTemplate: Answer = ({ default: preset, choices }) =>
  preset ?? choices?.[0] ?? answered
/** A harmless answer where the entry has none of its own. */
export const sample: Answer = ({ default: preset, choices }) => preset ?? choices?.[0] ?? '1'
/** A reference to an answer that is given when the server is started. */
export const askedLater: Answer = ({ default: preset, choices }) =>
  preset ?? choices?.[0] ?? '${input:later}'

/** The value of a variable of an address; undefined if it is not defined. */
export function urlAnswer(
  name: string,
  variables: { readonly [name: string]: ServerInput },
  answer: Answer,
): string | undefined {
  const input = Object.hasOwn(variables, name) ? variables[name] : undefined
  return input && valueOf(input, name, answer)
}

/** Values that a package's own address may refer to: by the name of an argument or variable, or its hint. */
export function packageAnswers(
  serverPackage: ServerPackage,
  answer: Answer,
): (name: string) => string | undefined {
  const {
    runtimeArguments = [],
    packageArguments = [],
    environmentVariables = [],
    transport,
  } = serverPackage
  const inputs: readonly (readonly [string, ServerInput])[] = [
    ...Object.entries(transport.variables ?? {}),
    ...[...runtimeArguments, ...packageArguments].map((each) => [argumentId(each), each] as const),
    ...environmentVariables.map((each) => [each.name, each] as const),
  ]
  return (name) => {
    const found = inputs.find(([id]) => id === name.replace(/^-+/, ''))
    return found && valueOf(found[1], found[0], answer)
  }
}

export function valuesOf(
  inputs: readonly NamedInput[],
  answer: Answer,
): { readonly [name: string]: string } {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const value = valueOf(input, input.name, answer)
      return value === undefined ? [] : [[input.name, value] as const]
    }),
  )
}

export function argumentQuestions(argument: ServerArgument): readonly InstallQuestion[] {
  return questionsOf(argument, argumentId(argument))
}

function argumentId({ name, valueHint, value }: ServerArgument): string {
  return (name ?? valueHint ?? value ?? 'argument').replace(/^-+/, '')
}

/** A named argument is its name and its value as two words; one without a value is a switch. */
export function argumentWords(argument: ServerArgument, answer: Answer): readonly string[] {
  const value = valueOf(argument, argumentId(argument), answer)
  if (argument.type === 'positional') return value === undefined ? [] : [value]
  const name = argument.name ?? ''
  if (argument.format === 'boolean') return value === 'true' || value === answered ? [name] : []
  if (value !== undefined) return [name, value]
  return isSwitch(argument) ? [name] : []
}

function isSwitch(argument: ServerArgument): boolean {
  const { value, default: preset, choices, placeholder, format, isRequired } = argument
  return [value, preset, choices, placeholder, format, isRequired].every(
    (each) => each === undefined,
  )
}

export function questionsOf(
  input: ServerInput | NamedInput,
  id: string,
  isWithinSecret = false,
): readonly InstallQuestion[] {
  const { value, variables = {} } = input
  const isSecret = isWithinSecret || (input.isSecret ?? false)
  if (value !== undefined) {
    return Object.entries(variables)
      .filter(([name]) => value.includes(`{${name}}`))
      .flatMap(([name, each]) => questionsOf(each, name, isSecret))
  }
  if ('type' in input && input.type === 'named' && isSwitch(input as ServerArgument)) return [] // a named argument
  return [
    {
      id,
      description: input.description,
      isRequired: input.isRequired ?? false,
      isSecret,
      format: input.format ?? 'string',
      default: input.default,
      placeholder: input.placeholder,
      choices: input.choices,
    },
  ]
}

export function valueOf(input: ServerInput, id: string, answer: Answer): string | undefined {
  if (input.value !== undefined) return fillTemplate(input.value, input.variables ?? {}, answer)
  const [question] = questionsOf(input, id)
  return question === undefined ? undefined : answer(question)
}

/** Names that nobody defines stay as they are. */
function fillTemplate(
  template: string,
  variables: { readonly [name: string]: ServerInput },
  answer: Answer,
): string {
  return template.replaceAll(/\{([a-zA-Z_][\w-]*)\}/g, (whole, name: string) => {
    const input = Object.hasOwn(variables, name) ? variables[name] : undefined
    return (input && valueOf(input, name, answer)) ?? whole
  })
}
