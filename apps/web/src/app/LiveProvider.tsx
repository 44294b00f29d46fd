import type { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { followChanges, type LiveState } from '../lib/live.ts'
import { checkSession } from '../lib/session.ts'
import { whenCalm } from './query-client.ts'
import { refreshByTopic } from './refresh-by-topic.ts'

type Live = {
  state: LiveState
  /** The screen has its first answers; what is not part of it may load now. */
  calm: boolean
}

const LiveContext = createContext<Live>({ state: 'connecting', calm: false })

export function useLive(): Live {
  return useContext(LiveContext)
}

/** Keeps what is shown true: a change on the server makes the answers that it concerns stale here. */
export function LiveProvider({ client, children }: { client: QueryClient; children: ReactNode }) {
  const [state, setState] = useState<LiveState>('connecting')
  const [calm, setCalm] = useState(false)

  useEffect(() => whenCalm(client, () => setCalm(true)), [client])

  useEffect(() => {
    if (!calm) return
    const refresh = refreshByTopic(client)
    const stop = followChanges({
      onTopics: (topics) => {
        refresh.topics(topics)
        // The mode that the top bar shows follows from the settings.
        if (topics.includes('settings')) void checkSession()
      },
      onResync: refresh.all,
      onState: setState,
    })
    return () => {
      stop()
      refresh.stop()
    }
  }, [client, calm])

  return <LiveContext value={{ state, calm }}>{children}</LiveContext>
}
