import { createContext, useContext } from 'react'

/** The program whose page this is, for the words of what all pages share. */
export interface Program {
  /** In lower case, as in `the inspector did not answer`. */
  readonly name: string
  /** As it is called in a title: `Parley Inspector`. */
  readonly title: string
}

/** Set by `PageFrame`. */
export const ProgramContext = createContext<Program>({ name: 'program', title: 'Parley' })

/** Which program this page belongs to. */
export function useProgram(): Program {
  return useContext(ProgramContext)
}
