import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { ImpersonationWay } from '@agency/contract/types'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call, type Input } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { useToast } from '../../ui/Toast.tsx'

type Asked = Input<typeof impersonation.startView>['body']
type Sent = { way: ImpersonationWay; asked: Asked }

/** A tab may be opened only in the click itself; it is sent on its way once there is an address. */
function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (!tab) return null
  // The portal must not reach this page through it.
  tab.opener = null
  tab.document.title = 'Opening the billing portal'
  return tab
}

/** Starts an impersonation. The portal's address passes through to the tab and is kept in nothing that outlives it. */
export function useStart(name: string, onDone: () => void) {
  const [unopened, setUnopened] = useState<string>()
  const client = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()

  const openPortal = async (asked: Asked, tab: Window | null) => {
    const { url } = await call(impersonation.openPortal, { body: asked })
    if (!tab || tab.closed) return setUnopened(url)
    tab.location.replace(url)
    toast.success(`Opened the billing portal as ${name}`)
    onDone()
  }
  const startView = async (asked: Asked) => {
    const answer = await call(impersonation.startView, { body: asked })
    await client.invalidateQueries({ queryKey: [impersonation.getCurrentImpersonation.path] })
    await navigate(paths.impersonationView(answer.impersonation.id))
  }
  const send = async ({ way, asked }: Sent) => {
    const tab = way === 'portal' ? openTab() : null
    try {
      await (way === 'portal' ? openPortal(asked, tab) : startView(asked))
    } catch (error) {
      tab?.close()
      throw error
    } finally {
      await client.invalidateQueries({ queryKey: [impersonation.listImpersonations.path] })
    }
  }
  const { mutate, isPending, error, reset } = useCall(send)
  return {
    run: (way: ImpersonationWay, asked: Asked) => mutate({ way, asked }),
    isPending,
    error,
    clear: reset,
    /** The address that no tab was there for: the browser did not open one, or it was closed meanwhile. */
    unopened,
  }
}
