import type { Database } from 'libsql';
import { type Attributes, openAttributes } from './attributes.ts';
import { type Batch, openBatch } from './batch.ts';
import { type Classifiers, openClassifiers } from './classifiers.ts';
import { type Holdings, openHoldings } from './holdings.ts';
import { type Items, openItems } from './items.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { openSpaces, type Spaces } from './spaces.ts';
import { openUsers, type Users } from './users.ts';

/** Every table over one open database, with its statements prepared once. */
export function openStore(db: Database): Store {
  return {
    transact: openBatch(db),
    attributes: openAttributes(db),
    classifiers: openClassifiers(db),
    holdings: openHoldings(db),
    items: openItems(db),
    ledger: openLedger(db),
    spaces: openSpaces(db),
    users: openUsers(db),
  };
}

export interface Store {
  readonly transact: Batch;
  readonly attributes: Attributes;
  readonly classifiers: Classifiers;
  readonly holdings: Holdings;
  readonly items: Items;
  readonly ledger: Ledger;
  readonly spaces: Spaces;
  readonly users: Users;
}
