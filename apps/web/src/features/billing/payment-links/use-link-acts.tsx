import * as paymentLinks from '@agency/contract/descriptors/payment-links'
import type { PaymentLink } from '@agency/contract/types'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { providerLink } from '../../../lib/provider-link.ts'
import { useDenial, useSessionState } from '../../../lib/session.ts'
import type { Action } from '../../../ui/action.ts'
import { useToast } from '../../../ui/Toast.tsx'
import { copyBlock, switchOnBlock } from './link-words.ts'

const CreateLinkDialog = lazy(() => import('./CreateLinkDialog.tsx').then((m) => ({ default: m.CreateLinkDialog })))
const SwitchLinkDialog = lazy(() => import('./SwitchLinkDialog.tsx').then((m) => ({ default: m.SwitchLinkDialog })))

type Act = { kind: 'create' } | { kind: 'switch'; link: PaymentLink; active: boolean }

export type LinkActs = {
  /** Why nothing can be changed, or undefined. */
  denial: string | undefined
  create: () => void
  copy: (link: PaymentLink) => void
  actionsOf: (link: PaymentLink) => readonly Action[]
  /** What is open. */
  dialogs: ReactNode
}

type Options = { onCreated: (link: PaymentLink) => void; hrefOf: (link: PaymentLink) => string }

/** What can be done with payment links, in the list and in their details. */
export function useLinkActs({ onCreated, hrefOf }: Options): LinkActs {
  const [act, setAct] = useState<Act>()
  const toast = useToast()
  const denial = useDenial(paymentLinks.createPaymentLink)
  const { mode } = useSessionState()
  const close = () => setAct(undefined)
  const copy = async ({ url, name }: PaymentLink) => {
    if (await copyText(url ?? '')) toast.success(`Copied the payment link for ${name}`)
    else toast.info(`The browser refused to copy. The address is ${url}`)
  }
  const actionsOf = (link: PaymentLink): readonly Action[] => {
    const href = providerLink(link.url, mode)
    const isOn = link.state === 'active'
    return [
      { label: 'View Details', href: hrefOf(link) },
      { label: 'Copy link', disabledReason: copyBlock(link), onSelect: () => void copy(link) },
      href
        ? { label: 'Open payment page', href, external: true }
        : { label: 'Open payment page', disabledReason: 'Its address does not lead to Stripe' },
      {
        ...{ label: isOn ? 'Switch off' : 'Switch on', divider: true },
        disabledReason: denial ?? (isOn ? undefined : switchOnBlock(link)),
        onSelect: () => setAct({ kind: 'switch', link, active: !isOn }),
      },
    ]
  }
  const dialogs = (
    <Suspense>
      {act?.kind === 'create' ? <CreateLinkDialog onCreated={onCreated} onClose={close} /> : null}
      {act?.kind === 'switch' ? <SwitchLinkDialog link={act.link} active={act.active} onClose={close} /> : null}
    </Suspense>
  )
  return {
    ...{ denial, actionsOf, dialogs },
    create: () => setAct({ kind: 'create' }),
    copy: (link) => void copy(link),
  }
}
