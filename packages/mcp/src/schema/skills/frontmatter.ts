import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { readYaml, type YamlReading } from './yaml.ts'

/** The metadata that a `SKILL.md` has above its text. */
export interface SkillFrontmatter {
  /** The name of the skill. */
  readonly name: string
  /** The purpose of the skill, and when to use it; a model chooses by it. */
  readonly description: string
  /** Whatever else its author wrote. */
  readonly [field: string]: JsonValue | undefined
}

/** Frontmatter, or why it cannot be read. */
export type FrontmatterReading =
  | { readonly kind: 'frontmatter'; readonly frontmatter: SkillFrontmatter }
  | { readonly kind: 'problem'; readonly problem: string }

/** Longer frontmatter is a problem. */
const maxFrontmatterLength = 65_536

/** Parses YAML, such as `parse` of the package `yaml`. May throw. */
export type ParseFrontmatter = (yaml: string) => unknown

/** Reads the frontmatter of a `SKILL.md`: by `parse`, or else the YAML that skills usually have. */
export function readFrontmatter(text: string, parse?: ParseFrontmatter): FrontmatterReading {
  const open = /^\u{feff}?---[ \t]*\r?\n/u.exec(text)
  if (open === null) return problem('it does not begin with a line of three dashes')
  const start = open[0].length
  const close = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(
    text.slice(start, start + maxFrontmatterLength),
  )
  if (close === null) return problem('no second line of three dashes ends its frontmatter')
  const yaml = text.slice(start, start + close.index)
  const reading = parse ? parseYaml(yaml, parse) : readYaml(yaml, 2)
  if (reading.kind === 'problem') return problem(`its frontmatter: ${reading.problem}`)
  return checkFields(reading.fields)
}

function parseYaml(yaml: string, parse: ParseFrontmatter): YamlReading {
  try {
    const fields: unknown = JSON.parse(JSON.stringify(parse(yaml)) ?? 'null') // JSON goes over the wire
    if (isJsonObject(fields)) return { kind: 'fields', fields }
    return { kind: 'problem', problem: 'it has no lines of the form "key: value"' }
  } catch (error) {
    return { kind: 'problem', problem: String(error) }
  }
}

function checkFields(fields: JsonObject): FrontmatterReading {
  const { name, description } = fields
  if (typeof name !== 'string') return problem('its frontmatter has no name')
  if (typeof description !== 'string' || description.trim() === '') {
    return problem('its frontmatter has no description')
  }
  return { kind: 'frontmatter', frontmatter: { ...fields, name, description } }
}

/** The rules of the format for a name, which is also the name of a folder. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}

function problem(why: string): FrontmatterReading {
  return { kind: 'problem', problem: why }
}
