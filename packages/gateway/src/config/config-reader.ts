import { memberOf, type ConfigNode, type ConfigProblem } from '@parley/foundation/config'
import { isJsonObject, errorMessage } from '@parley/mcp/json'

/** Reads values of a configuration file; what is wrong is noted with its line and what to write instead. */
export interface ConfigReader {
  fault(node: ConfigNode, key: string, message: string, fix: string): void
  warn(node: ConfigNode, key: string, message: string, fix: string): void
  /** An object; only these members may be in it. */
  object(node: ConfigNode, key: string, members: readonly string[]): ConfigNode | undefined
  text(parent: ConfigNode | undefined, name: string, key: string): string | undefined
  texts(parent: ConfigNode | undefined, name: string, key: string): readonly string[] | undefined
  boolean(parent: ConfigNode | undefined, name: string, key: string): boolean | undefined
  /** One of several words. */
  choice<Word extends string>(
    parent: ConfigNode | undefined,
    name: string,
    key: string,
    words: readonly Word[],
  ): Word | undefined
  /** Text that some function understands; it throws what is wrong. */
  parsed<T>(
    parent: ConfigNode | undefined,
    name: string,
    key: string,
    parse: (text: string, key: string) => T,
  ): T | undefined
}

export function createConfigReader(file: string, problems: ConfigProblem[]): ConfigReader {
  function note(
    level: ConfigProblem['level'],
    { line }: ConfigNode,
    key: string,
    message: string,
    fix: string,
  ) {
    problems.push({ level, file, line, key, message, fix })
  }

  const reader: ConfigReader = {
    fault: (node, key, message, fix) => note('error', node, key, message, fix),
    warn: (node, key, message, fix) => note('warning', node, key, message, fix),
    object(node, key, members) {
      if (!isJsonObject(node.value)) {
        reader.fault(node, key, 'must be an object', `Write ${key}: { ${members.join(', ')} }.`)
        return undefined
      }
      for (const { name, node: each } of node.members) {
        if (members.includes(name)) continue
        const fix = `Use ${members.join(', ')}.`
        reader.fault(each, key === '' ? name : `${key}.${name}`, 'is unknown', fix)
      }
      return node
    },
    text(parent, name, key) {
      const node = memberOf(parent, name)?.node
      if (node === undefined) return undefined
      if (typeof node.value === 'string' && node.value !== '') return node.value
      reader.fault(node, key, 'must be a text', 'Put it in quotes.')
      return undefined
    },
    texts(parent, name, key) {
      const node = memberOf(parent, name)?.node
      if (node === undefined) return undefined
      if (Array.isArray(node.value) && node.value.every((each) => typeof each === 'string')) {
        return node.value
      }
      reader.fault(node, key, 'must be a list of texts', `Write ${key}: ["…"].`)
      return undefined
    },
    boolean(parent, name, key) {
      const node = memberOf(parent, name)?.node
      if (node === undefined || typeof node.value === 'boolean') return node?.value as boolean // just checked
      reader.fault(node, key, 'must be true or false', `Write ${key}: true.`)
      return undefined
    },
    choice(parent, name, key, words) {
      const node = memberOf(parent, name)?.node
      if (node === undefined) return undefined
      const word = words.find((each) => each === node.value)
      if (word === undefined) {
        const seen = JSON.stringify(node.value)
        reader.fault(node, key, `is unknown: ${seen}`, `Use ${words.join(', ')}.`)
      }
      return word
    },
    parsed(parent, name, key, parse) {
      const node = memberOf(parent, name)?.node
      if (node === undefined) return undefined
      try {
        return parse(String(node.value), key)
      } catch (error) {
        const why = errorMessage(error)
        const [what = why, fix = 'Correct it.'] = why.split(': ', 2)
        reader.fault(node, key, what.replace(`${key} `, ''), sentence(fix))
        return undefined
      }
    },
  }
  return reader
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
