import type { IconName } from '../../ui/icons.ts'

export const navIcons: Record<string, IconName | undefined> = {
  Dashboard: 'dashboard',
  'System Health': 'heart',
  'Customer Management': 'people',
  'Billing & Subscriptions': 'card',
  Monitoring: 'eye',
  'Reports & Analytics': 'barChart',
  'Admin Tools': 'build',
  System: 'settings',
}
