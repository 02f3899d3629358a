import { createContext, useContext, type ReactNode } from 'react'

/** The program that this page belongs to; the shared components take its name from here. */
export interface Program {
  /** In lower case: `the inspector does not answer`. */
  readonly name: string
  /** The name in titles: `Parley Inspector`. */
  readonly title: string
  /** Says how to get a new link; programs without sign-in links have none. */
  readonly newLink?: ReactNode
}

/** Set by `PageFrame`. */
export const ProgramContext = createContext<Program>({ name: 'program', title: 'Parley' })

/** Returns the program that this page belongs to. */
export function useProgram(): Program {
  return useContext(ProgramContext)
}
