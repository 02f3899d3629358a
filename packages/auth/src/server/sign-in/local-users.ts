/**
 * A user directory in a file: passwords hashed with scrypt, in a file that only its owner may read. For small installations and tests;
 * implement `UserDirectory` for others.
 */

import { randomUUID } from 'node:crypto'
import { statSync, type Stats } from 'node:fs'
import { open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { platform } from 'node:process'

import { isJsonObject, parseJsonObject } from '@parley/mcp/json'
import { replaceFile, sharedFolderWarning } from '@parley/mcp/system'

import { AuthError } from '../../shared/auth-error.ts'
import { type JsonObject } from '../../shared/json-document.ts'
import { warnOnce } from '../../shared/warn.ts'
import { hashPassword, isPassword, nobodysHash } from './password-hash.ts'
import type { UserAccount, UserDirectory } from './users.ts'

/** People in a file, and how to add and remove them. */
export interface LocalUsers extends UserDirectory {
  /** Returns the user with this id; undefined if there is none. */
  find(subject: string): Promise<UserAccount | undefined>
  /** Adds somebody, or gives them another password, which ends what they were signed in to. */
  add(name: string, password: string, claims?: UserAccount['claims']): Promise<UserAccount>
  /** False if there is nobody of that name. Their tokens cannot be renewed any more. */
  remove(name: string): Promise<boolean>
}

interface Person extends UserAccount {
  readonly name: string
  readonly password: string
}

/** People in a file, passwords hashed with scrypt. The file is refused if others can read it. */
export function createLocalUsers(file: string): LocalUsers {
  requirePrivate(file, statSync(file, { throwIfNoEntry: false })) // at once, and not when somebody signs in
  let writing: Promise<unknown> = Promise.resolve()

  /** Read and written by one change at a time. */
  function change<Result>(edit: (people: Person[]) => Result): Promise<Result> {
    const done = writing.then(async () => {
      const people = await readPeople(file)
      const result = edit(people)
      await writePeople(file, people)
      return result
    })
    writing = done.catch(() => undefined) // told to who asked for this change
    return done
  }

  async function find(isMeant: (person: Person) => boolean): Promise<Person | undefined> {
    return (await readPeople(file)).find(isMeant)
  }

  return {
    async verify(name, password) {
      const person = await find((user) => user.name === nameOf(name))
      const isRight = await isPassword(password, person?.password ?? nobodysHash)
      return isRight && person !== undefined ? accountOf(person) : undefined
    },

    async find(subject) {
      const person = await find((user) => user.subject === subject)
      return person === undefined ? undefined : accountOf(person)
    },

    async add(name, password, claims) {
      if (nameOf(name) === '' || password === '') throw failed(file, 'a name and a password')
      const existing = await find(({ name: itemName }) => itemName === nameOf(name))
      // Adding the same user at each start must not sign them out.
      const isSame = existing !== undefined && (await isPassword(password, existing.password))
      const hash = isSame ? existing.password : await hashPassword(password)
      return change((people) => {
        const index = people.findIndex((candidate) => candidate.name === nameOf(name))
        const subject = people[index]?.subject ?? randomUUID()
        const mergedClaims = claims ?? people[index]?.claims
        const person = {
          name: nameOf(name),
          subject,
          password: hash,
          ...(mergedClaims && { claims: mergedClaims }),
          ...(index !== -1 && { signedOutAt: isSame ? existing.signedOutAt : Date.now() }),
        }
        people.splice(index === -1 ? people.length : index, index === -1 ? 0 : 1, person)
        return accountOf(person)
      })
    },

    remove(name) {
      return change((people) => {
        const index = people.findIndex((person) => person.name === nameOf(name))
        if (index !== -1) people.splice(index, 1)
        return index !== -1
      })
    },
  }
}

function nameOf(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

function accountOf({ name: _name, password: _password, ...account }: Person): UserAccount {
  return account
}

async function readPeople(file: string): Promise<Person[]> {
  const text = await readPrivate(file)
  if (text === undefined) return []
  const people = parseJsonObject(text)?.['users']
  if (!Array.isArray(people) || !people.every(isPerson)) throw failed(file, 'a list of users')
  return people
}

function isPerson(value: unknown): value is Person {
  if (!isJsonObject(value)) return false
  const { name, subject, password, claims, signedOutAt } = value
  const isText = [name, subject, password].every(
    (candidate) => typeof candidate === 'string' && candidate !== '',
  )
  if (signedOutAt !== undefined && typeof signedOutAt !== 'number') return false
  return isText && (claims === undefined || isJsonObject(claims))
}

async function readPrivate(file: string): Promise<string | undefined> {
  try {
    requirePrivate(file, await stat(file))
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function requirePrivate(file: string, stats: Stats | undefined): void {
  if (stats === undefined || platform === 'win32' || (stats.mode & 0o077) === 0) return
  throw new AuthError('store_failed', `${file} is not used: other users can read it`, {
    step: 'store',
    hint: `chmod 600 ${file}`,
  })
}

async function writePeople(file: string, users: readonly Person[]): Promise<void> {
  const warning = sharedFolderWarning(dirname(resolve(file)))
  if (warning !== undefined) warnOnce(warning)
  const temporary = `${file}.${randomUUID()}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ users } satisfies JsonObject, undefined, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await replaceFile(temporary, file).catch(async (error: unknown) => {
    await unlink(temporary)
    throw error
  })
}

function failed(file: string, wanted: string): AuthError {
  return new AuthError('store_failed', `${file} needs ${wanted}`, { step: 'store' })
}
