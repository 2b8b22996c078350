/**
 * The world file: who and what exists beside the items and classifiers that the operations make. Texts are ids and
 * names as section 2 of the interface has them; every list is optional.
 */
export interface World {
  readonly teams?: readonly WorldTeam[];
  readonly users?: readonly WorldUser[];
  readonly spaces?: readonly WorldSpace[];
  /** A team without any takes every `attributeId`. */
  readonly attributes?: readonly WorldAttribute[];
}

export interface WorldTeam {
  readonly id: string;
  readonly name: string;
}

export interface WorldUser {
  readonly id: string;
  /** Unique, and without a colon: Basic authentication (section 5) can't send one. */
  readonly username: string;
  /** In plain text here; only a salted hash is stored. */
  readonly password: string;
  readonly teamId: string;
}

export interface WorldSpace {
  readonly id: string;
  readonly name: string;
  /** Grid columns and rows. */
  readonly cols: number;
  readonly rows: number;
  readonly teamId: string;
  /** Ids of users of the same team, each linked to the space. */
  readonly users: readonly string[];
}

export interface WorldAttribute {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
}
