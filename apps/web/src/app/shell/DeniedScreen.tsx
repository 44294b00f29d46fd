import * as auth from '@agency/contract/descriptors/auth'
import { permissionTexts } from '@agency/contract/permission-texts'
import type { Access, Permission } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q, type ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

type Props = { title: string; needed: readonly Access[] }

/** In place of a screen that somebody may not open: what opens it, and whom to ask. */
export function DeniedScreen({ title, needed }: Props) {
  const [permission] = needed.filter((access): access is Permission => access in permissionTexts)
  if (!permission) return null
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        title="You can't open this screen"
        text={
          <>
            {title} needs the permission “{permissionTexts[permission].name}” <code>{permission}</code>.{' '}
            <WhomToAsk permission={permission} />
          </>
        }
      />
    </>
  )
}

function WhomToAsk({ permission }: { permission: Permission }) {
  const { data, isPending } = useQuery(q(auth.listAdministrators, { query: { permission } }))
  if (isPending) return null
  return <>{data ? adviceOf(data) : 'Ask an administrator.'}</>
}

function adviceOf({ names, others }: ResponseOf<typeof auth.listAdministrators>): string {
  if (names.length === 0) return 'Ask whoever has the admin key.'
  const last = others > 0 ? `${formatCount(others)} more` : names.at(-1)
  const before = others > 0 ? names : names.slice(0, -1)
  return `Ask an administrator: ${before.length > 0 ? `${before.join(', ')} or ${last}` : last}.`
}
