import type { Repository } from '../repository.ts'
import { entriesOf } from './entries.ts'

/** The state of a work tree. */
export interface WorkTreeStatus extends Branching {
  /** Files whose changes will be committed. */
  readonly staged: readonly string[]
  /** Files with changes that will not be committed yet. */
  readonly unstaged: readonly string[]
  /** Files that git does not know. */
  readonly untracked: readonly string[]
  /** Files with conflicts to resolve. */
  readonly conflicted: readonly string[]
  /** There are more than these. */
  readonly isCut: boolean
}
interface Branching {
  /** Absent when no branch is checked out. */
  readonly branch?: string
  /** Absent before the first commit. */
  readonly head?: string
  readonly upstream?: string
  /** Commits that the upstream lacks. */
  readonly ahead?: number
  /** Commits that are missing here. */
  readonly behind?: number
}

/** The state of the work tree as data. */
export async function readStatus(repository: Repository): Promise<WorkTreeStatus> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=dirty']
  const { text, isCut } = await repository.run(args)
  const files: Record<'staged' | 'unstaged' | 'untracked' | 'conflicted', string[]> = {
    staged: [],
    unstaged: [],
    untracked: [],
    conflicted: [],
  }
  let branching: Branching = {}
  const entries = entriesOf(text)
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? ''
    const [kind = '', states = ''] = entry.split(' ', 2)
    if (kind === '#') branching = { ...branching, ...readHeader(entry) }
    else if (kind === '?') files.untracked.push(entry.slice(2))
    else if (kind === 'u') files.conflicted.push(fieldsAfter(entry, 10))
    else if (kind === '1' || kind === '2') {
      const path = fieldsAfter(entry, kind === '1' ? 8 : 9)
      if (!states.startsWith('.')) files.staged.push(path)
      if (!states.endsWith('.')) files.unstaged.push(path)
      if (kind === '2') index += 1 // the name before
    }
  }
  return { ...branching, ...files, isCut }
}

function readHeader(entry: string): Branching {
  const [, name, value = '', more = ''] = entry.split(' ')
  if (name === 'branch.head' && value !== '(detached)') return { branch: value }
  if (name === 'branch.oid' && value !== '(initial)') return { head: value }
  if (name === 'branch.upstream') return { upstream: value }
  if (name === 'branch.ab') return { ahead: Number(value), behind: -Number(more) }
  return {}
}

/** A path may have spaces; the fields before it have none. */
function fieldsAfter(entry: string, count: number): string {
  return entry.split(' ').slice(count).join(' ')
}
