import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import css from './dashboard.module.css'

const actions = [
  { label: 'Manage Customers', href: paths.customers },
  { label: 'Site Management', href: paths.sites },
  { label: 'Billing & Plans', href: paths.subscriptions },
  { label: 'View Reports', href: paths.reports },
]

export function QuickActions() {
  return (
    <nav aria-label="Quick Actions" className={css['quick']}>
      {actions.map(({ label, href }) => (
        <Button key={label} href={href} variant="outlined">
          {label}
        </Button>
      ))}
    </nav>
  )
}
