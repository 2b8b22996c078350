import type { Kind } from '../catalog/model.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { WireAssignment } from '../contract/wire.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { FieldDifference, Fields } from './fields.ts';
import type { Reference } from './reference.ts';

/** What keys and remote ids stand for, both ways, in one environment. */
export interface Names {
  attributeId(key: string): string;
  /** The id itself where no attribute of the environment has it. */
  attributeKey(id: string): string;
  classifierId(key: string): Reference;
  optionId(classifier: string, option: string): Reference;
  /** Undefined for an option that no recorded classifier has. */
  optionOf(assigned: WireAssignment): { readonly classifier: string; readonly option: string } | undefined;
  /** True where the classifier was answered without this option since the instant `at`, or will be. */
  isGone(classifierId: string, optionId: string, at: string): boolean;
}

/** What it takes to read an answer: nothing of the catalog. */
export type AnswerNames = Pick<Names, 'attributeKey' | 'optionOf'>;

/** Why a difference can't be sent, and what a person can do about it. */
export interface Obstacle {
  readonly reason: string;
  readonly remedies: readonly string[];
  /** The point of the profile that would let it through, and what to set there: no way where the point is known. */
  readonly setting?: { readonly point: ProfilePoint; readonly remedy: string };
}

/** What Trove knows of one kind of resource. Pure: no clock, no network, no files. */
export interface ResourceKind<Declaration, Answer> {
  readonly kind: Kind;
  /** Groups of fields that every update carries. */
  readonly required: ReadonlySet<string>;
  /** What is declared, as comparable fields. */
  desired(declaration: Declaration): Fields;
  /** What an answer says, in the same terms. `options` maps option keys to ids (classifiers only). */
  answered(answer: Answer, names: AnswerNames, options?: ResourceRecord['options']): Fields;
  /** Undefined where an update can carry this difference under this profile. */
  obstacle(difference: FieldDifference, profile: Profile): Obstacle | undefined;
  /** The body of the create; `clientId` is the id to ask for, where the kind takes one. */
  createBody(declaration: Declaration, names: Names, clientId?: string): Readonly<Record<string, unknown>>;
  /** The body of an update after which the record has the fields of `target`; `managed` are the declared groups. */
  updateBody(
    target: Fields,
    managed: ReadonlySet<string>,
    profile: Profile,
    names: Names,
  ): Readonly<Record<string, unknown>>;
}
