import * as alerts from '@agency/contract/descriptors/alerts'
import { useQuery } from '@tanstack/react-query'
import { q } from './api.ts'
import { useSessionState } from './session.ts'

export type Assignee = { id: string; name: string; isMe: boolean }

/** Whoever asks comes first, then the others by name. */
export function meFirst(people: readonly { id: string; name: string }[], me: string): Assignee[] {
  return people
    .map(({ id, name }) => ({ id, name, isMe: id === me }))
    .sort((a, b) => Number(b.isMe) - Number(a.isMe) || a.name.localeCompare(b.name, 'en-US'))
}

/** Whom alerts and incidents can be given to; undefined until they are there. */
export function useAssignees() {
  const me = useSessionState().actor.id
  const { data, error, refetch } = useQuery(q(alerts.assignees, {}))
  return { people: data && meFirst(data.people, me), error, retry: () => void refetch() }
}
