import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { ResourceContents } from '../../schema/resources.ts'
import type { ParseFrontmatter } from '../../schema/skills/frontmatter.ts'
import { digestOf, skillLimits, type Skill, type SkillResource } from '../../schema/skills/skill.ts'
import type { CallOptions } from '../options.ts'
import { frontmatterProblem, skillProblem } from './check-skill.ts'
import type { SkillsClient } from './list-skills.ts'

/** How to call the server, and how to read frontmatter. */
export interface ReadSkillFileOptions extends CallOptions {
  /** Parses the YAML of a `SKILL.md`. @defaultValue a reader of the YAML that skills usually have */
  readonly parseFrontmatter?: ParseFrontmatter | undefined
}

/**
 * One file of a skill, with its size, its digest and, of a `SKILL.md`, its frontmatter checked. What differs from the
 * description of the skill is `invalid_message`, and so is a file that is not listed there: `getSkill` tells whether
 * the skill has changed. A match says that the server is consistent, not that it can be trusted.
 */
export async function readSkillFile(
  client: SkillsClient,
  skill: Skill,
  uri: string,
  { parseFrontmatter, ...options }: ReadSkillFileOptions = {},
): Promise<Uint8Array> {
  const peer = client.server.info?.name
  const listed = resourcesOf(skill, peer)
  const problem = skillProblem(skill, listed)
  if (problem !== undefined) throw mismatch(skill.uri, problem, peer)
  const expected = listed.find((resource) => resource.uri === uri)
  if (expected === undefined) throw mismatch(uri, `${skill.uri} does not list it`, peer)

  const { contents } = await client.readResource(uri, options)
  const [only] = contents
  if (only === undefined || contents.length > 1 || only.uri !== uri) {
    throw mismatch(uri, 'the answer is not this one file', peer)
  }
  const bytes = bytesOf(only)
  const different = await differenceOf(bytes, expected)
  if (different !== undefined || bytes === undefined) throw mismatch(uri, different ?? '', peer)
  const changed = uri === skill.uri ? frontmatterProblem(skill, bytes, parseFrontmatter) : undefined
  if (changed !== undefined) throw mismatch(uri, changed, peer)
  return bytes
}

/** Returns the files of a skill that can be checked. Throws beyond the limits of a skill. */
function resourcesOf(
  { uri, resources }: Skill,
  peer: string | undefined,
): readonly SkillResource[] {
  if (resources === 'dynamic') {
    const why = `${uri}: its contents are made when asked for, and cannot be checked`
    const hint = 'client.readResource(uri) reads it unchecked.'
    throw new McpError('unsupported', why, { details: { capability: 'digests' }, peer, hint })
  }
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  const [limit, allowed, seen] =
    resources.length > skillLimits.files
      ? ['files of a skill', skillLimits.files, resources.length]
      : ['bytes of a skill', skillLimits.bytes, bytes]
  if (seen <= allowed) return resources
  const details = { limit, allowed, seen }
  throw new McpError('limit_exceeded', `${uri}: ${seen} ${limit}, of ${allowed}`, { details, peer })
}

/** Undefined for what is not base64. */
function bytesOf(contents: ResourceContents): Uint8Array | undefined {
  if ('text' in contents) return new TextEncoder().encode(contents.text)
  try {
    const binary = atob(contents.blob)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined // said as a difference
  }
}

async function differenceOf(
  bytes: Uint8Array | undefined,
  { size, digest }: SkillResource,
): Promise<string | undefined> {
  if (bytes === undefined) return 'its blob is not base64'
  if (bytes.byteLength !== size) return `it has ${bytes.byteLength} bytes, not ${size}`
  const actual = await digestOf(bytes)
  return actual === digest ? undefined : `its digest is ${actual}, not ${digest}`
}

function mismatch(uri: string, why: string, peer: string | undefined): McpError {
  return new McpError('invalid_message', `${uri} is not as it was described: ${why}`, {
    details: { excerpt: why },
    peer,
    hint: 'Ask for the skill anew with getSkill(), and have it approved again if it has changed.',
  })
}
