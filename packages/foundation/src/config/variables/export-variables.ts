import { basename } from 'node:path'

import type { ConfigEntry } from '../entries/config-entry.ts'
import type { FormatRules } from '../files/config-format.ts'
import { inputVariable } from './inputs.ts'

/** Tells the user what an export could not keep. */
export type Note = (text: string) => void

/** The variables of a text as another product writes them. */
export function convertVariables(
  value: string,
  { folder }: ConfigEntry,
  { variables, hasInputs, title }: FormatRules,
  note: Note,
): string {
  if (variables === 'forwarded') return value // they have keys of their own there
  return value.replaceAll(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    const [, source, rest = ''] = /^(\w+):(?!-)(.*)$/s.exec(inside) ?? []
    if (source === 'input' && hasInputs) return whole
    if (inside.startsWith('workspaceFolder') && variables === 'plain' && !hasInputs) {
      return inside === 'workspaceFolderBasename' ? basename(folder) : folder
    }
    const name = source === 'input' ? inputVariable(rest) : source === 'env' ? rest : inside
    const isPlain = /^[A-Z_a-z]\w*(?::-.*)?$/s.test(name)
    if (!isPlain || isWord(inside)) return whole
    if (source === 'input') note(`${title} does not ask for inputs; set ${name} in the environment`)
    if (variables === 'none') note(`\${${name}} is not replaced by ${title}; write its value there`)
    const [bare = name] = name.split(':-', 1)
    const hasDefaults = variables === 'plain' || variables === 'none'
    if (!hasDefaults && bare !== name) note(`the default of \${${name}} is lost`)
    switch (variables) {
      case 'prefixed':
        return `\${env:${bare}}`
      case 'braces':
        return `{env:${bare}}`
      case 'secrets':
        return `\${{ secrets.${bare} }}`
      case 'plain':
      case 'none':
        return `\${${name}}`
    }
  })
}

function isWord(name: string): boolean {
  return /^(?:workspaceFolder|workspaceFolderBasename|userHome|cwd|pathSeparator)$/.test(name)
}
