import type { Permission } from './permissions.ts'

export const permissionCategories = ['Customers', 'Sites', 'Billing', 'Analytics', 'Support', 'Administration'] as const
export type PermissionCategory = (typeof permissionCategories)[number]

/** What each permission lets somebody do, in the words of the Permissions tab. */
export const permissionTexts: Record<Permission, { name: string; category: PermissionCategory; description: string }> =
  {
    'customers.read': { name: 'View customers', category: 'Customers', description: 'See customers and export them' },
    'customers.write': { name: 'Edit customers', category: 'Customers', description: 'Add and change customers' },
    'customers.delete': {
      name: 'Delete customers',
      category: 'Customers',
      description: 'Delete and restore customers',
    },
    'sites.read': { name: 'View sites', category: 'Sites', description: 'See sites, deployments and domains' },
    'sites.write': { name: 'Edit sites', category: 'Sites', description: 'Add, change, suspend and delete sites' },
    'sites.deploy': { name: 'Deploy sites', category: 'Sites', description: 'Deploy and roll back sites' },
    'billing.read': { name: 'View billing', category: 'Billing', description: 'See subscriptions, payments and plans' },
    'billing.write': { name: 'Manage billing', category: 'Billing', description: 'Refund, cancel and send invoices' },
    'analytics.read': { name: 'View analytics', category: 'Analytics', description: 'See reports and analytics' },
    'support.read': { name: 'View support', category: 'Support', description: 'Read customer notes and tickets' },
    'support.write': { name: 'Work in support', category: 'Support', description: 'Write customer notes and tickets' },
    'admin.users': {
      name: 'Manage admin users',
      category: 'Administration',
      description: 'Add people, give them roles',
    },
    'admin.system': {
      name: 'Manage the system',
      category: 'Administration',
      description: 'Settings, keys, security, audit log and tools',
    },
    'admin.sql_write': {
      name: 'Write with SQL',
      category: 'Administration',
      description: 'Change rows of the database in the query console',
    },
  }
