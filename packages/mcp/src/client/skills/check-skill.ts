import { canonicalJson } from '../../schema/canonical-json.ts'
import { isJsonObject } from '../../schema/json.ts'
import { readFrontmatter, type ParseFrontmatter } from '../../schema/skills/frontmatter.ts'
import { skillRoot, type Skill, type SkillResource } from '../../schema/skills/skill.ts'

/** Says what is wrong with a skill as it is described, or nothing. */
export function skillProblem(
  { uri, frontmatter }: Skill,
  resources: readonly SkillResource[],
): string | undefined {
  const root = skillRoot(uri)
  if (root === undefined) return `${uri} is not the URI of a SKILL.md`
  const folder = root.slice(root.lastIndexOf('/') + 1)
  if (folder !== frontmatter.name) return `its name is ${frontmatter.name}, its folder is ${folder}`
  const uris = new Set(resources.map((resource) => resource.uri))
  if (uris.size < resources.length) return 'it lists a file twice'
  if (!uris.has(uri)) return 'it does not list its SKILL.md'
  const outside = resources.find((resource) => !isInside(root, resource.uri))
  return outside && `${outside.uri} is outside of it`
}

/** Below the folder, and no step leads out of it, encoded or not. */
function isInside(root: string, uri: string): boolean {
  if (!uri.startsWith(`${root}/`)) return false
  const path = uri
    .slice(root.length + 1)
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%2f|%5c|\\/gi, '/')
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Says where a `SKILL.md` differs from what the skill was described with, or nothing. */
export function frontmatterProblem(
  { frontmatter }: Skill,
  bytes: Uint8Array,
  parse?: ParseFrontmatter,
): string | undefined {
  const reading = readFrontmatter(new TextDecoder().decode(bytes), parse)
  if (reading.kind === 'problem') return reading.problem
  const written = reading.frontmatter
  const different = [...new Set([...Object.keys(written), ...Object.keys(frontmatter)])].find(
    (field) => memberText(written, field) !== memberText(frontmatter, field),
  )
  return different && `its ${different} is not the one it was listed with`
}

function memberText(fields: unknown, field: string): string | undefined {
  if (!isJsonObject(fields) || !Object.hasOwn(fields, field)) return undefined
  return canonicalJson(fields[field])
}
