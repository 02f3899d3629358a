import { createContext } from 'react'

/** Loads an icon that a server names, by the service behind the page: its type by its bytes, and the bytes as Base64. */
export type LoadIcon = (
  server: string,
  src: string,
) => Promise<{ readonly type: string; readonly data: string }>

/** Around what shows icons of servers. Without it, only icons that come with a message are shown. */
export const IconLoader = createContext<LoadIcon | undefined>(undefined)
