import { useEffect, useMemo, useState } from 'react'

import type { ConversationVersion } from '../../src/store/conversation-store.ts'
import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { versionsOfTurn, type TurnVersions } from './versions.ts'

/** The other versions of the turns that are shown. */
export function useVersions(): { at(turn: number): TurnVersions | undefined } {
  const id = useStore((store) => store.shown?.id)
  const hasVersions = useStore((store) => store.shown?.thread !== undefined)
  const [versions, setVersions] = useState<readonly ConversationVersion[]>([])
  useEffect(() => {
    if (id === undefined || !hasVersions) return setVersions([])
    channel.ask('conversations/versions', { id }).then(setVersions, () => setVersions([]))
  }, [id, hasVersions])
  return useMemo(
    () => ({ at: (turn) => (id === undefined ? undefined : versionsOfTurn(versions, id, turn)) }),
    [versions, id],
  )
}
