import { create } from 'zustand'

import { keepFocus, returnFocus } from './focus-return.ts'

/** What lies over the page, or in its place: things that every program has. */
export interface Place {
  readonly over: 'palette' | 'keys' | 'rail' | undefined
  /** The settings are shown in place of the program. */
  readonly isSettings: boolean
  /** The section of the settings that was asked for. */
  readonly section?: string | undefined
}

/** Where the page is. Change it with the functions below. */
export const useShellState = create<Place>(() => ({ over: undefined, isSettings: false }))

/** Opens the palette, the list of keys, or on a narrow screen the rail. */
export function openOver(over: NonNullable<Place['over']>): void {
  if (useShellState.getState().over === undefined) keepFocus()
  useShellState.setState({ over })
}

/** Opens the palette. */
export function openPalette(): void {
  openOver('palette')
}

/** Closes what lies over the page; the focus returns to where it was. */
export function closeOver(): void {
  if (useShellState.getState().over === undefined) return
  useShellState.setState({ over: undefined })
  returnFocus()
}

/** Shows the settings; with the id of a section, that section. */
export function openSettings(section?: string): void {
  if (!useShellState.getState().isSettings) keepFocus()
  useShellState.setState({ isSettings: true, over: undefined, section })
}

/** Shows the program again. */
export function closeSettings(): void {
  if (!useShellState.getState().isSettings) return
  useShellState.setState({ isSettings: false })
  returnFocus()
}
