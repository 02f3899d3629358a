import { showHidden } from '@parley/page/parts'
import type { ReactElement, ReactNode } from 'react'

import { AddressLink } from '../address-link.tsx'
import { Day } from '../day.tsx'
import { Card } from '../entry/card.tsx'
import type { ModeratorNote } from './read-moderation.ts'

export interface NotesCardProps {
  readonly notes: readonly ModeratorNote[]
  readonly action?: ReactNode
}

/** What moderators told each other, the newest first. */
export function NotesCard({ notes, action }: NotesCardProps): ReactElement {
  return (
    <Card title="Notes" action={action}>
      {notes.length === 0 && <p className="quiet">There are none.</p>}
      {notes.length > 0 && (
        <ul className="decisions">
          {notes.map((note, index) => (
            <li key={index}>
              <span className="wrap">{showHidden(note.text)}</span>
              <span className="quiet wrap">
                <AddressLink to={{ view: undefined, server: note.name, version: undefined }}>
                  {showHidden(note.name)}
                </AddressLink>
                , {showHidden(note.author)}
                {note.at !== undefined && (
                  <>
                    , <Day at={note.at} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
