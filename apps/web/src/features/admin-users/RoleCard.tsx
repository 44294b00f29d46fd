import { permissionCategories, permissionTexts } from '@agency/contract/permission-texts'
import type { Role } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useSessionState } from '../../lib/session.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './admin-users.module.css'
import type { RoleAct } from './RoleDialogs.tsx'
import { whyRoleLocked } from './role-rules.ts'

type Props = { role: Role; onAct: (act: RoleAct) => void }

export function RoleCard({ role, onAct }: Props) {
  const { actor } = useSessionState()
  const locked = whyRoleLocked(actor, role)
  return (
    <article className={css['role']}>
      <header className={css['roleHead']}>
        <h2 title={role.display_name}>
          <bdi>{role.display_name}</bdi>
        </h2>
        {role.is_system_role ? <StatusChip tone="neutral" label="System role" /> : null}
      </header>
      <p className={css['muted']}>
        <bdi>{role.description || 'No description'}</bdi>
      </p>
      <Held role={role} />
      <p>
        <a href={`${paths.users}?role=${encodeURIComponent(role.name)}`}>{peopleText(role.user_count)}</a>
      </p>
      <footer className={css['roleFoot']}>
        <label className={css['check']} title={locked}>
          <input
            type="checkbox"
            checked={role.requires_second_factor}
            disabled={locked !== undefined}
            onChange={() => onAct({ kind: 'require', role })}
          />
          Requires two-step verification
        </label>
        <ReasonedButton
          size="small"
          variant="outlined"
          blocked={role.is_system_role ? 'System roles are fixed. Add your own role instead.' : locked}
          onClick={() => onAct({ kind: 'edit', role })}
        >
          Edit Role
        </ReasonedButton>
        {role.is_system_role ? null : (
          <ReasonedButton
            size="small"
            variant="outlined"
            color="error"
            blocked={locked ?? deletionBlock(role)}
            onClick={() => onAct({ kind: 'delete', role })}
          >
            Delete
          </ReasonedButton>
        )}
      </footer>
    </article>
  )
}

/** What the role holds, by category; the categories that it has nothing of are left out. */
function Held({ role }: { role: Role }) {
  const lines = permissionCategories
    .map((category) => ({
      category,
      names: role.permissions
        .filter((permission) => permissionTexts[permission].category === category)
        .map((permission) => permission.split('.')[1]),
    }))
    .filter(({ names }) => names.length > 0)
  if (lines.length === 0) return <p className={css['muted']}>No permissions yet.</p>
  return (
    <dl className={css['held']}>
      {lines.map(({ category, names }) => (
        <div key={category} className={css['heldLine']}>
          <dt>{category}</dt>
          <dd>{names.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

function peopleText(count: number): string {
  return count === 1 ? '1 user' : `${formatCount(count)} users`
}

function deletionBlock({ user_count: count }: Role): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? 'One person has this role' : `${formatCount(count)} people have this role`
}
