/** db-scheduler, driven as the bench drives Belfry. Law: nothing of Belfry is in here, and nothing of this in Belfry. */
package peer;
