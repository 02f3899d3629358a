import { z } from 'zod'

const files = z.array(z.string())

/** Whether the list beside it ends before its end. */
export const isCut = z.boolean().describe('There is more than is shown')

/** The state of a work tree. */
export const statusSchema = z.object({
  branch: z.string().optional().describe('Absent when no branch is checked out'),
  head: z.string().optional().describe('Absent before the first commit'),
  upstream: z.string().optional(),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  staged: files,
  unstaged: files,
  untracked: files,
  conflicted: files,
  isCut,
})

/** One commit. */
export const commitSchema = z.object({
  hash: z.string(),
  author: z.string(),
  email: z.string(),
  date: z.string(),
  message: z.string(),
  parents: z.array(z.string()),
})

/** The files that differ. */
export const differencesSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      oldPath: z.string().optional().describe('Before it was renamed'),
      added: z.int().optional().describe('Lines; absent for binary files'),
      deleted: z.int().optional(),
    }),
  ),
  isCut,
})

/** One branch. */
export const branchSchema = z.object({
  name: z.string(),
  hash: z.string(),
  isCurrent: z.boolean(),
  isRemote: z.boolean(),
})
